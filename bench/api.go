package bench

// API is the protocol in which a target is asked.
type API uint8

const (
	// Chat is OpenAI's /chat/completions, which most servers speak.
	Chat API = iota
	// Completions is OpenAI's older /completions.
	Completions
	// Responses is OpenAI's /responses, a stream of named events.
	Responses
	// Anthropic is Anthropic's /messages.
	Anthropic
	// NumAPIs is how many there are; not an API.
	NumAPIs
)

var apiNames = [NumAPIs]string{"chat", "completions", "responses", "anthropic"}

// String is the name that flags and screens use.
func (a API) String() string {
	if a < NumAPIs {
		return apiNames[a]
	}
	return "api?"
}

// ParseAPI finds an API by its name.
func ParseAPI(name string) (API, bool) {
	for a, n := range apiNames {
		if n == name {
			return API(a), true
		}
	}
	return 0, false
}
