package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// certificate writes a certificate of its own for 127.0.0.1, and its key.
func certificate(t *testing.T, dir, name string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, name+".crt"), filepath.Join(dir, name+".key")
	writeFile(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	writeFile(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: hidden})))
	return cert, key
}

func TestFieldsOfTheBodyAreLaidIntoOneAnother(t *testing.T) {
	for _, row := range []struct {
		sentence string
		args     []string
		want     string
	}{
		{"a number keeps its digits", []string{"--body", "seed=12345678901234567890"}, `{"seed":12345678901234567890}`},
		{"a text has quotes", []string{"--body", `user="bob=x"`}, `{"user":"bob=x"}`},
		{"fields of one object join", []string{"--body", "a.b=1", "--body", "a.c.d=[true]"}, `{"a":{"b":1,"c":{"d":[true]}}}`},
		{"an object joins one that is there", []string{"--body", "a.b=1", "--body", `a={"c":2}`}, `{"a":{"b":1,"c":2}}`},
		{"no flag is no field", nil, `{}`},
	} {
		s, _, found := checked(t, nil, row.args...)
		got, err := json.Marshal(s.body)
		if err != nil || len(found) > 0 || string(got) != row.want {
			t.Errorf("%s: %s, %v, %v", row.sentence, got, err, found)
		}
	}
}

func TestHeadersComeFromTheCommandLineAndFromFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	writeFile(t, path, "Bearer "+testKey+"\n")
	s, _, found := checked(t, nil, "-H", "x-team: search: two", "--header", "authorization: @"+path, "--body", `extra.api_key="body-secret"`, "--body", `top="visible"`)
	if len(found) > 0 {
		t.Fatal(found)
	}
	if s.header.Get("X-Team") != "search: two" || s.header.Get("Authorization") != "Bearer "+testKey {
		t.Errorf("%v", s.header)
	}
	if len(s.secrets) != 2 {
		t.Errorf("%d secrets, want the value of the file and what stands behind its first blank", len(s.secrets))
	}
	notes := strings.Join(s.protocol.notes(), "\n")
	if !strings.Contains(notes, "the headers X-Team, Authorization and the fields extra.api_key, top") || strings.Contains(notes, "list of processes") {
		t.Errorf("notes: %s", notes)
	}
	if notes := strings.Join(settingsOf(t, "-H", "Api-Key: "+testKey).protocol.notes(), "\n"); !strings.Contains(notes, "-H Api-Key stands in this machine's list") ||
		strings.Contains(notes, testKey) {
		t.Errorf("notes: %s", notes)
	}
}

func settingsOf(t *testing.T, args ...string) *settings {
	t.Helper()
	s, _, found := checked(t, nil, args...)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return &s
}

func TestTheTransportIsWhatTheFlagsSay(t *testing.T) {
	cert, key := certificate(t, t.TempDir(), "one")
	here := []string{"--url", "https://127.0.0.1:1/v1"}
	s := settingsOf(t, append(here, "--client-cert", cert, "--client-key", key, "--ca-file", cert, "--http2", "--no-proxy", "--rotate-addresses")...)
	if s.tls == nil || len(s.tls.Certificates) != 1 || s.tls.RootCAs == nil || s.tls.InsecureSkipVerify || !s.http2 || !s.noProxy || !s.rotate {
		t.Errorf("%+v", s.protocol)
	}
	if s := settingsOf(t, append(here, "--insecure")...); s.tls == nil || !s.tls.InsecureSkipVerify || !strings.Contains(strings.Join(s.protocol.notes(), "\n"), "--insecure: ") {
		t.Errorf("%+v", s.tls)
	}
	if s := settingsOf(t, here...); s.tls != nil || s.api != bench.Chat || s.on429 != "hold" {
		t.Errorf("%+v", s.protocol)
	}
	for text, want := range map[string]float64{"30%": 0.3, "0.3": 0.3, "0": 0, "90%": 0.9} {
		if s := settingsOf(t, "--quota-reserve", text); s.quotaReserve < want-1e-9 || s.quotaReserve > want+1e-9 {
			t.Errorf("%s is %g", text, s.quotaReserve)
		}
	}
	if s := settingsOf(t, "--api", "anthropic", "--on-429", "pause"); s.api != bench.Anthropic || s.on429 != "pause" {
		t.Errorf("%v %s", s.api, s.on429)
	}
}

// TestAHeaderWithTheKeyWinsOverTheEnvironment: what was asked for is not doubled by what happens to be there.
func TestAHeaderWithTheKeyWinsOverTheEnvironment(t *testing.T) {
	env := map[string]string{"OPENAI_API_KEY": testKey, "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
	_, target, found := checked(t, env, "--url", "http://127.0.0.1:1/v1", "-H", "Authorization: Bearer another")
	if len(found) > 0 || !target.key.Empty() {
		t.Errorf("%v %v", found, target)
	}
}

// TestWordsTornOffAHeaderAreNotRepeated: a shell without quotes makes words of their own of what may be a secret.
func TestWordsTornOffAHeaderAreNotRepeated(t *testing.T) {
	for _, args := range [][]string{{"-H", "Authorization:", testKey}, {"-H", "Authorization:", "Bearer", testKey}, {"--body", "user=1", testKey}} {
		o := start(t, nil, args...)
		if code := o.run(t); code != exitUsage || strings.Contains(o.errs.String(), testKey) || !strings.Contains(o.errs.String(), "want its value in quotes") {
			t.Errorf("%q: %d\n%s", args, code, o.errs.String())
		}
	}
}

// FuzzHeadersAndFields: what is accepted can be sent, and what is not is told without its value.
func FuzzHeadersAndFields(f *testing.F) {
	for _, seed := range []string{"X-A: 1", "X-A:@", "Authorization: Bearer x", "a.b=1", "a=", `a={"b":[1,null]}`, "a..b=1", "a=1e999", ": x", "=1", "x\x00y: z", "A: \xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var found problems
		var p protocol
		p.body = map[string]any{}
		for range 2 {
			_ = (&headerFlag{to: &p.headers, found: &found}).Set(text)
			_ = (&bodyFlag{to: &p, found: &found}).Set(text)
		}
		for _, h := range p.headers {
			if !headerName(h.name) || !headerValue(h.value) {
				t.Errorf("%q is taken for a header", text)
			}
		}
		if _, err := json.Marshal(p.body); err != nil {
			t.Errorf("%q cannot be sent: %v", text, err)
		}
		if len(found.list) < 2 {
			t.Errorf("%q is both a header and a field, each twice: %q", text, found.list)
		}
	})
}

func TestHelpGroupsTheFlags(t *testing.T) {
	o := start(t, nil, "--help")
	if code := o.run(t); code != exitOK {
		t.Fatal(code)
	}
	at := -1
	for _, want := range []string{"\nTarget:\n", "--url", "\nProtocol and transport:\n", "--api ", "\nLoad:\n", "--on-429", "\nPromises and purse:\n", "--quota-reserve",
		"\nScreen:\n", "--window", "\nFlags:\n", "--help"} {
		i := strings.Index(o.out.String()[at+1:], want)
		if i < 0 {
			t.Fatalf("%q is missing, or stands before the last, in:\n%s", want, o.out.String())
		}
		at += 1 + i
	}
	child := start(t, nil, "sim", "--help")
	if child.run(t); !strings.Contains(child.out.String(), "\nFlags:\n") || !strings.Contains(child.out.String(), "--addr") {
		t.Errorf("help of sim:\n%s", child.out.String())
	}
}
