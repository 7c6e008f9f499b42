package stream

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPagesAreToldByTheirTitles(t *testing.T) {
	for _, row := range []struct{ sentence, page, want string }{
		{"nginx", "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx/1.27.0</center>\r\n</body>\r\n</html>\r\n", "502 Bad Gateway"},
		{"nginx that wants a certificate", "<html>\r\n<head><title>400 No required SSL certificate was sent</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n<center>No required SSL certificate was sent</center>", "400 No required SSL certificate was sent"},
		{"Apache", "<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<html><head>\n<title>503 Service Unavailable</title>\n</head><body>\n<h1>Service Unavailable</h1>\n<p>The server is temporarily unable to service your request.</p>", "503 Service Unavailable"},
		{"Cloudflare", "<!DOCTYPE html>\n<!--[if lt IE 7]> <html class=\"no-js ie6 oldie\" lang=\"en-US\"> <![endif]-->\n<head>\n<title>api.example | 502: Bad gateway</title>\n<meta charset=\"UTF-8\" />", "api.example | 502: Bad gateway"},
		{"an AWS load balancer", "<html>\r\n<head><title>504 Gateway Time-out</title></head>\r\n<body>\r\n<center><h1>504 Gateway Time-out</h1></center>\r\n</body>\r\n</html>", "504 Gateway Time-out"},
		{"CloudFront, in capitals", "<!DOCTYPE HTML PUBLIC \"x\">\n<HTML><HEAD><META HTTP-EQUIV=\"Content-Type\">\n<TITLE>ERROR: The request could not be satisfied</TITLE>\n</HEAD><BODY>\n<H1>403 ERROR</H1>", "ERROR: The request could not be satisfied"},
		{"S3, in XML", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>", "Access Denied"},
		{"HAProxy, without a title", "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n", "503 Service Unavailable"},
		{"Express, whose title says nothing", "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot GET /v1/models<br> &nbsp; at f (x.js:1)</pre>\n</body>", "Error: Cannot GET /v1/models"},
		{"an empty title", "<html><title> </title><h2>Out <b>of</b> service</h2>", "Out of service"},
		{"letters written as entities", "<title>Not &amp; &lt;found&gt; &#8211; &eacute;</title>", "Not & <found> – é"},
		{"a drawing with a title of its own before", "<html><body><svg><title>logo</title></svg><h1>Gone</h1>", "Gone"},
		{"a script that writes a title", "<html><script>x = '<title>No</title>'</script><title>Yes</title>", "Yes"},
		{"a title that is cut off", "<html><head><title>502 Bad Gat", "502 Bad Gat"},
		{"a page of words only", "\uFEFF\n<html><style>p { font-size: 1px }</style><p>No <i>access</i><br>today, 1 < 2</p></html>", "No access\ntoday, 1 < 2"},
		{"a header that is no head", "<html><header>menu</header><h1x>no</h1x><h1 class=a>Yes</h1>", "Yes"},
		{"an empty page", "<html></html>", ""},
	} {
		if got, ok := Page(row.page); !ok || got != row.want {
			t.Errorf("%s: %q %v, want %q", row.sentence, got, ok, row.want)
		}
	}
	for _, text := range []string{"", "plain", `{"a":"<html>"}`, "<p>", "<think>", "a < b", "<"} {
		if got, ok := Page(text); ok {
			t.Errorf("%q is taken for a page, %q", text, got)
		}
	}
}

func TestMessagesHoldNoPages(t *testing.T) {
	hide := func(s string) string { return strings.ReplaceAll(s, "sk/secret", "***") }
	for _, row := range []struct{ sentence, text, want string }{
		{"a page", "<html><title>502 Bad\x1b[31m Gateway</title>", "502 Bad [31m Gateway"},
		{"a page that a gateway quotes", "litellm.APIError: <!DOCTYPE html><html><title>502 Bad Gateway</title></html>", "litellm.APIError: 502 Bad Gateway"},
		{"a secret in a title, encoded as no one expects", "<title>no key sk&#x2F;secret</title>", "no key ***"},
		{"no page", "use <b> or a < b", "use <b> or a < b"},
	} {
		if got := Message(row.text, hide); got != row.want {
			t.Errorf("%s: %q, want %q", row.sentence, got, row.want)
		}
	}
}

func FuzzPage(f *testing.F) {
	for _, s := range []string{"<html><title>a</title>", "<title", "<!--", "<h1>a<b", "<pre>", "<html><title>Error</title><pre>x<br>y", "x<html>&lt;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, ok := Page(s)
		if !ok && text != "" {
			t.Errorf("%q is no page and says %q", s, text)
		}
		if m := Message(s, nil); len(m) > MaxMessage || !utf8.ValidString(m) {
			t.Errorf("message %q", m)
		}
	})
}
