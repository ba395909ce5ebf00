package practicetest

import "time"

type Clock struct {
	ahead time.Duration
	other *Clock
}

func (c *Clock) Now() time.Time { return time.Now().Add(c.ahead) } // the place where time comes from

type Server struct {
	self  *Server
	clock *Clock
}

func (s *Server) expires() time.Time {
	return time.Now().Add(time.Hour) // want `without the clock`
}
