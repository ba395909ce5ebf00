package practicetest

// chaos is how badly webhook deliveries behave. The same seed and the same events
// give the same order.
type chaos struct {
	duplicates   float64 // share of deliveries sent twice, 0 to 1
	disorder     float64 // share of deliveries overtaken by later ones, 0 to 1
	redeliveries int     // how often a delivery that failed is tried again
	seed         uint64
}

// WithWebhookRedelivery tries a webhook delivery again that was not answered with
// a 2xx status in time, up to n times, after 1, 2, 4 … seconds; later events go
// ahead meanwhile. Every attempt is signed anew. The specification states no such
// policy, so by default nothing is tried again.
func WithWebhookRedelivery(n int) Option {
	return func(c *config) { c.chaos.redeliveries = max(n, 0) }
}
