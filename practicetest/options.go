package practicetest

import (
	"net/http"
	"time"
)

// config is what the options set.
type config struct {
	start             time.Time // zero: follow time.Now
	seed              uint64
	events            int
	matters           int
	strict            bool
	writeDelay        time.Duration
	tokenLifetime     time.Duration
	ratePerSecond     float64
	rateBurst         int
	presignedLifetime time.Duration
	latency           time.Duration
	barePromotions    bool
	vendorMember      string
	webhookClient     *http.Client
	duplicates        float64 // share of deliveries sent twice, 0 to 1
	disorder          float64 // share of deliveries sent out of order, 0 to 1
}

// Option changes how the service behaves; see the With functions.
type Option func(*config)
