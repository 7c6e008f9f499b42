package script

// file is a script as it is written. Times are text here, so that a wrong one is told with all other problems.
type file struct {
	Title   string       `toml:"title"`
	Why     string       `toml:"why"`
	Order   string       `toml:"order"`
	Seed    uint64       `toml:"seed"`
	Healthy int          `toml:"healthy"`
	Answers []fileAnswer `toml:"answer"`
	Expect  *fileExpect  `toml:"expect"`
	Client  fileClient   `toml:"client"`
}

type fileAnswer struct {
	Path    string         `toml:"path"`
	Method  string         `toml:"method"`
	When    fileCondition  `toml:"when"`
	Unless  fileCondition  `toml:"unless"`
	Accept  string         `toml:"accept"`
	Before  string         `toml:"before"`
	Status  int            `toml:"status"`
	Headers map[string]any `toml:"headers"`
	Frame   string         `toml:"frame"`
	Gzip    string         `toml:"gzip"`
	Steps   []fileStep     `toml:"steps"`
	Body    string         `toml:"body"`
	Every   string         `toml:"every"`
	End     string         `toml:"end"`
	Keep    string         `toml:"keep"`
	Expect  *fileExpect    `toml:"expect"`
}

type fileCondition struct {
	Field  string `toml:"field"`
	Header string `toml:"header"`
}

type fileStep struct {
	Wait   string `toml:"wait"`
	Send   string `toml:"send"`
	Event  string `toml:"event"`
	Repeat int    `toml:"repeat"`
	Every  string `toml:"every"`
	Split  int    `toml:"split"`
	Pad    int    `toml:"pad"`
	Hang   bool   `toml:"hang"`
}

type fileExpect struct {
	Outcome    string   `toml:"outcome"`
	Status     int      `toml:"status"`
	FirstToken string   `toml:"first_token"`
	Answer     string   `toml:"answer"`
	In         int      `toml:"in"`
	Cached     int      `toml:"cached"`
	Out        int      `toml:"out"`
	Hidden     int      `toml:"hidden"`
	Reasoning  int      `toml:"reasoning"`
	Events     int      `toml:"events"`
	Malformed  int      `toml:"malformed"`
	Chunks     int      `toml:"chunks"`
	Gaps       []string `toml:"gaps"`
	Source     string   `toml:"source"`
	Finish     string   `toml:"finish"`
	TPOT       *float64 `toml:"tpot"`
	Took       string   `toml:"took"`
	RetryAfter string   `toml:"retry_after"`
	Message    string   `toml:"message"`
	Quotas     []string `toml:"quotas"`
	Burst      bool     `toml:"burst"`
	Reused     *bool    `toml:"reused"`
}

type fileClient struct {
	API        string `toml:"api"`
	FirstToken string `toml:"first_token"`
	Idle       string `toml:"idle"`
	Total      string `toml:"total"`
	Pause      string `toml:"pause"`
	Cancel     string `toml:"cancel"`
	Requests   int    `toml:"requests"`
	Preflight  bool   `toml:"preflight"`
}
