package client

import (
	"crypto/x509"
	"errors"
	"fmt"
	"time"

	"redline/bench"
)

// distrust says why the certificate of a server is not trusted, and what would help. An authority given by hand helps only where none is
// known: it makes no certificate younger, nor one for another name.
func distrust(at string, e *bench.Ended, err error) string {
	var invalid x509.CertificateInvalidError
	what, help := "is not trusted", "mend it on the server"
	switch expired := errors.As(err, &invalid) && invalid.Reason == x509.Expired; {
	case expired && invalid.Cert != nil && time.Now().Before(invalid.Cert.NotBefore):
		what, help = "is not valid yet", "check the clocks of this machine and of the one that made it"
	case expired:
		what, help = "is not valid any more", "renew it on the server, or check this machine's clock"
	case as[x509.HostnameError](err):
		what, help = "is for another name", "use a name in the URL that it holds, or renew it with this one"
	case as[x509.UnknownAuthorityError](err) || as[x509.SystemRootsError](err):
		what, help = "is signed by nobody who is known here", "name the authority that signed it with --ca-file"
	}
	return fmt.Sprintf("the certificate of %s %s (%s): %s; --insecure goes on without a check, at your own risk", at, what, e.Message, help)
}
