package bench

import (
	"testing"
	"time"
)

func TestUnitsOfQuotas(t *testing.T) {
	for _, tt := range []struct {
		kind QuotaKind
		per  time.Duration
		want string
	}{
		{QuotaRequests, time.Minute, "RPM"}, {QuotaTokens, time.Second, "TPS"}, {QuotaInput, time.Minute, "ITPM"}, {QuotaOutput, time.Hour, "OTPH"},
		{QuotaTokens, Day, "TPD"}, {QuotaTokens, Month, "TP month"},
		{QuotaRequests, 10 * time.Second, "R/10s"}, {QuotaRequests, 10 * time.Minute, "R/10m"}, {QuotaRequests, 7 * Day, "R/168h"}, {QuotaRequests, 90 * time.Second, "R/1m30s"},
	} {
		q := Quota{Kind: tt.kind, Per: tt.per}
		if got := q.Unit(); got != tt.want {
			t.Errorf("%d per %v: %s, want %s", tt.kind, tt.per, got, tt.want)
		}
	}
}
