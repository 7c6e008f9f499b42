package term

import "strings"

// Multiplexer is what stands between the program and the terminal.
type Multiplexer uint8

const (
	// NoMux is nothing.
	NoMux Multiplexer = iota
	// Tmux and GNUScreen are the two that are told apart.
	Tmux
	GNUScreen
)

// String is the multiplexer's name; empty for none.
func (m Multiplexer) String() string { return [...]string{"", "tmux", "screen"}[m%3] }

// Facts are what the environment says of the terminal.
type Facts struct {
	// TTY tells whether the output is a terminal at all.
	TTY bool
	// SSH is a terminal at the far end of a network.
	SSH bool
	Mux Multiplexer
	// Dumb is TERM=dumb, Console the text console of Linux.
	Dumb, Console bool
	// UTF8 is a terminal that reads UTF-8, as far as the locale tells.
	UTF8 bool
	// Wide is a locale in which terminals may give two cells to characters of ambiguous width, box lines and blocks among them.
	// Guessed says that nothing but the language says so.
	Wide, Guessed bool
	// Windows is its console, which is not asked.
	Windows bool
}

// Look reads the facts from an environment (env gives "" for what is not set), for an operating system as runtime.GOOS names it.
func Look(env func(string) string, goos string, tty bool) Facts {
	name := strings.ToLower(env("TERM"))
	f := Facts{
		TTY:     tty,
		SSH:     env("SSH_CONNECTION") != "" || env("SSH_TTY") != "",
		Dumb:    name == "dumb",
		Console: name == "linux" || strings.HasPrefix(name, "linux-"),
	}
	switch {
	case env("TMUX") != "" || strings.HasPrefix(name, "tmux"):
		f.Mux = Tmux
	case env("STY") != "" || strings.HasPrefix(name, "screen"):
		f.Mux = GNUScreen
	}
	locale := locale(env)
	f.UTF8 = utf8Locale(locale, goos, f)
	f.Wide, f.Guessed = wideLocale(locale, env)
	f.Windows = goos == "windows"
	return f
}

// locale is the one that rules characters: the first that is set.
func locale(env func(string) string) string {
	for _, key := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := env(key); v != "" {
			return strings.ToLower(v)
		}
	}
	return ""
}

// utf8Locale tells whether UTF-8 may be written. A locale that names another character set forbids it. One that names none (C, POSIX,
// nothing: containers, remote shells, services) says nothing of the terminal, which in all likelihood reads UTF-8, except on the
// console of Linux, whose fonts lack the blocks, and where nothing is known of the terminal at all.
func utf8Locale(locale, goos string, f Facts) bool {
	_, charset, _ := strings.Cut(locale, ".")
	charset, _, _ = strings.Cut(charset, "@")
	switch {
	case charset == "utf-8" || charset == "utf8":
		return true
	case goos == "windows":
		return true
	case charset != "":
		return false
	}
	return !f.Console && !f.Dumb
}

// wideLocale tells whether a locale may be one of wide characters, and whether that is but a guess.
func wideLocale(locale string, env func(string) string) (wide, guessed bool) {
	// The variable by which programs with the same question are told the answer.
	switch env("RUNEWIDTH_EASTASIAN") {
	case "1":
		return true, false
	case "0":
		return false, false
	}
	for _, language := range [...]string{"zh", "ja", "ko"} {
		if rest, ok := strings.CutPrefix(locale, language); ok && (rest == "" || strings.ContainsRune("_.-@", rune(rest[0]))) {
			return true, true
		}
	}
	return false, false
}

// FPS is how many frames a second to draw: 4, or 2 over a network.
func (f Facts) FPS() int {
	if f.SSH {
		return 2
	}
	return 4
}

// ASCII tells whether to keep to ASCII unless the user says otherwise.
func (f Facts) ASCII() bool { return !f.UTF8 || f.Wide }

// Plain tells whether to write lines instead of a full screen: there is no terminal, or none that can move its cursor.
func (f Facts) Plain() bool { return !f.TTY || f.Dumb }
