package practicetest

// chaos is how badly webhook deliveries behave. The same seed and the same events
// give the same order.
type chaos struct {
	duplicates   float64 // share of deliveries sent twice, 0 to 1
	disorder     float64 // share of deliveries overtaken by later ones, 0 to 1
	redeliveries int     // how often a delivery that failed is tried again
	seed         uint64
}
