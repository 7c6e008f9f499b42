package bench

// Curl is a request as a command of curl for a POSIX shell, free of secrets.
type Curl struct {
	Text string
	// Variables are those of the environment that it needs, in the order in which they stand in it, each once.
	Variables []string
	// Differs says in a few words why its body is not the one that was sent; empty where it is.
	Differs string
}
