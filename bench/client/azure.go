package client

import (
	"net/url"
	"strings"
)

// versionParam is the one query parameter that is known to be no secret (Azure).
const versionParam = "api-version"

// deployment is the name in a path of Azure's form /openai/deployments/NAME, which gateways copy; empty if it has another form.
// Such a base lists no models, and the deployment is the model.
func deployment(u *url.URL) string {
	_, name, ok := strings.Cut(u.EscapedPath(), "/openai/deployments/")
	if !ok {
		return ""
	}
	name, _, _ = strings.Cut(name, "/")
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return name
}

// isAzure tells whether a host is Azure's own, which takes keys in a header of its own name.
func isAzure(u *url.URL) bool {
	return onDomain(u, "openai.azure.com") || onDomain(u, "cognitiveservices.azure.com") || isFoundry(u)
}

// isFoundry tells whether a host is one of Azure's that has its chat completions below a path that is itself called /models.
func isFoundry(u *url.URL) bool { return onDomain(u, "services.ai.azure.com") }

func onDomain(u *url.URL, domain string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), "."+domain)
}
