package transport

import "time"

// traffic counts the attempts of a second.
type traffic struct {
	second      time.Time // when the count began
	count, past int       // attempts since then, and in the second before
}

func (c *traffic) sends(now time.Time) {
	if passed := now.Sub(c.second); passed >= time.Second {
		c.past = c.count
		if passed >= 2*time.Second {
			c.past = 0
		}
		c.second, c.count = now, 0
	}
	c.count++
}

// rate returns the attempts a second that were sent lately.
func (c *traffic) rate(now time.Time) float64 {
	lately := float64(c.count)
	if c.count > firstPace {
		lately /= min(1, max(0.1, now.Sub(c.second).Seconds()))
	}
	return max(lately, float64(c.past))
}
