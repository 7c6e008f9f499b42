package viewtest

// prompts and replies are what people and models write: several scripts, joined emoji, combining marks, and what a terminal would obey. A prompt has
// a number in it, so that no two are alike.
var (
	prompts = []string{
		"Summarise incident report %d in five sentences for somebody who was not there.",
		"请用三句话总结第 %d 号事故报告，并说明受影响的服务。",
		"Explain to a child 👩‍👩‍👧‍👦 why the sky is blue, in variant %d 🚦.",
		"اكتب فقرة قصيرة عن الشبكات رقم %d من فضلك",
		"Wie verha\u0308lt sich der Durchsatz bei Last %d? Antworte in ganzen Sa\u0308tzen.",
		"row\t%d\x1b[31m\nred\x07 text \u202ewith marks\u202c of direction",
		"第%d問：次の文章を要約してください。接続が拒否されました。",
	}
	replies = []string{
		"1. At 09:14 UTC the cache tier began to evict entries faster than they were filled.\n2. Latency rose to four times its usual value.",
		"事故发生在上午九点十四分。缓存层开始淘汰条目，延迟升高到平时的四倍。",
		"Because air scatters blue light more than red 🌈 — and that is why 👨‍🚀 sees black.",
		"الشبكة هي مجموعة من الأجهزة المتصلة ببعضها",
		"Der Durchsatz wa\u0308chst zuna\u0308chst linear.\n\tDann flacht er ab: e\u0301a\u0300o\u0302.",
		"```go\nfunc main() { fmt.Println(\"hello, 世界\") }\n```",
	}
)
