package transport

import "time"

// traffic counts the attempts per second.
type traffic struct {
	second      time.Time // start of the current second
	count, past int       // attempts in the current second, and in the one before
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

// rate returns the recent rate of attempts per second.
func (c *traffic) rate(now time.Time) float64 {
	lately := float64(c.count)
	if c.count > firstPace {
		lately /= min(1, max(0.1, now.Sub(c.second).Seconds()))
	}
	return max(lately, float64(c.past))
}
