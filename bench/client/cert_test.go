package client

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// authority signs certificates for tests.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{pool: x509.NewCertPool()}
	own := a.sign(t, &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	a.cert, a.key = own.Leaf, own.PrivateKey.(*ecdsa.PrivateKey)
	a.pool.AddCert(a.cert)
	return a
}

// sign makes a certificate; the first one signs itself.
func (a *authority) sign(t *testing.T, c *x509.Certificate) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.SerialNumber, c.Subject = big.NewInt(time.Now().UnixNano()), pkix.Name{CommonName: "test"}
	if c.NotBefore.IsZero() {
		c.NotBefore = time.Now().Add(-48 * time.Hour)
	}
	if c.NotAfter.IsZero() {
		c.NotAfter = time.Now().Add(time.Hour)
	}
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// secure is a server on the loopback with TLS.
func secure(t *testing.T, config *tls.Config, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = config
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func well(w http.ResponseWriter, _ *http.Request) {
	say(w, token, token, token, stop, usageEnd, doneLine)
}

func TestCertificatesOfServers(t *testing.T) {
	here := []net.IP{net.IPv4(127, 0, 0, 1)}
	ours, others := newAuthority(t), newAuthority(t)
	for _, tt := range []struct {
		sentence string
		cert     tls.Certificate
		want     []string
	}{
		{"a good one", ours.sign(t, &x509.Certificate{IPAddresses: here}), nil},
		{"one of an authority that we do not know", others.sign(t, &x509.Certificate{IPAddresses: here}), []string{"is signed by nobody who is known here", "unknown authority", "--ca-file", "; --insecure goes on"}},
		{"one for another name", ours.sign(t, &x509.Certificate{DNSNames: []string{"other.example"}}), []string{"is for another name", "127.0.0.1", "use a name in the URL that it holds", "; --insecure goes on"}},
		{"one that is over", ours.sign(t, &x509.Certificate{IPAddresses: here, NotAfter: time.Now().Add(-time.Hour)}), []string{"is not valid any more", "expired", "renew it", "; --insecure goes on"}},
		{"one that is not valid yet", ours.sign(t, &x509.Certificate{IPAddresses: here, NotBefore: time.Now().Add(time.Hour), NotAfter: time.Now().Add(2 * time.Hour)}), []string{"is not valid yet", "clocks", "; --insecure goes on"}},
		{"one that may not stand for a server", ours.sign(t, &x509.Certificate{IPAddresses: here, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}), []string{"is not trusted", "incompatible key usage", "mend it on the server", "; --insecure goes on"}},
	} {
		server := secure(t, &tls.Config{Certificates: []tls.Certificate{tt.cert}}, well)
		c := local(t, Options{URL: server.URL, TLS: &tls.Config{RootCAs: ours.pool}})
		_, err := c.Preflight(context.Background(), request.Prompt)
		if tt.want == nil {
			e := c.Send(context.Background(), request, nil)
			if err != nil || e.Outcome != bench.OK {
				t.Errorf("%s: %v, then %v %q", tt.sentence, err, e.Outcome, e.Message)
			}
			continue
		}
		e := c.Send(context.Background(), request, nil)
		words, _, _ := strings.Cut(e.Message, ": current time") // which goes on
		if err == nil || e.Outcome != bench.TLS || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, then %v %q", tt.sentence, err, e.Outcome, e.Message)
			continue
		}
		if helps := strings.Contains(tt.sentence, "authority"); strings.Contains(err.Error(), "--ca-file") != helps {
			t.Errorf("%s: %v", tt.sentence, err)
		}
		if _, listed := c.Models(context.Background()); listed == nil || strings.ReplaceAll(listed.Error(), "/models", "/chat/completions")[:60] != err.Error()[:60] {
			t.Errorf("%s: the list says %v", tt.sentence, listed)
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v lacks %q", tt.sentence, err, want)
			}
		}
	}
}

func TestTLSIsTimedWhereItIsUsed(t *testing.T) {
	ca := newAuthority(t)
	server := secure(t, &tls.Config{Certificates: []tls.Certificate{ca.sign(t, &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}})}}, well)
	for _, two := range []bool{false, true} {
		c := local(t, Options{URL: server.URL, TLS: &tls.Config{RootCAs: ca.pool}, HTTP2: two})
		e := c.Send(context.Background(), request, nil)
		if e.Outcome != bench.OK || e.Connect.TLS <= 0 || e.Connect.TCP <= 0 || e.Connect.DNS != 0 || e.Reused {
			t.Errorf("HTTP/2 %v: %v %q, connecting took %+v", two, e.Outcome, e.Message, e.Connect)
		}
	}
	plain := httptest.NewServer(http.HandlerFunc(well))
	defer plain.Close()
	if e := local(t, Options{URL: plain.URL}).Send(context.Background(), request, nil); e.Connect.TLS != 0 || e.Connect.TCP <= 0 {
		t.Errorf("without TLS connecting took %+v", e.Connect)
	}
}

func TestCertificatesOfClients(t *testing.T) {
	ca, strangers := newAuthority(t), newAuthority(t)
	one := func(a *authority) tls.Certificate {
		return a.sign(t, &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}})
	}
	good, bad := one(ca), one(strangers)
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		server := secure(t, &tls.Config{Certificates: []tls.Certificate{good}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: ca.pool, MaxVersion: version}, well)
		for _, tt := range []struct {
			sentence string
			given    []tls.Certificate
			want     string
		}{
			{"the one that is asked for", []tls.Certificate{good}, ""},
			{"none", nil, "wants a client certificate (remote error: tls: "},
			{"another's, which the server does not ask for", []tls.Certificate{bad}, "client certificate (remote error: tls: "},
		} {
			c := local(t, Options{URL: server.URL, TLS: &tls.Config{RootCAs: ca.pool, Certificates: tt.given}})
			_, err := c.Preflight(context.Background(), request.Prompt)
			if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("version %x, %s: %v, want %s", version, tt.sentence, err, tt.want)
			}
			if e := c.Send(context.Background(), request, nil); (e.Outcome == bench.OK) != (tt.want == "") || tt.want != "" && e.Outcome != bench.TLS {
				t.Errorf("version %x, %s: %v %q", version, tt.sentence, e.Outcome, e.Message)
			}
		}
	}
}

func TestAServerWithTLSIsAskedWithout(t *testing.T) {
	server := secure(t, nil, well)
	c := local(t, Options{URL: strings.Replace(server.URL, "https:", "http:", 1)})
	if _, err := c.Preflight(context.Background(), request.Prompt); err == nil || !strings.Contains(err.Error(), "write https:// instead of http://") {
		t.Error(err)
	}
}
