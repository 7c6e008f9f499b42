package report

import "regexp"

var (
	urlUser  = regexp.MustCompile(`//[^/?#]*@`)
	urlQuery = regexp.MustCompile(`\?.*$`)
)

// ShownURL is a URL as it may be printed: what people hide in one (a user, a query) is left out.
func ShownURL(text string) string {
	return urlQuery.ReplaceAllString(urlUser.ReplaceAllString(text, "//***@"), "?***")
}
