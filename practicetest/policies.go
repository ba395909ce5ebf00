package practicetest

func policyHandlers() handlers { return handlers{"getPolicy": (*Server).getPolicy} }

// policy says what a principal may do with a resource.
type policy struct {
	account   *account
	id        string
	reference string
	principal string // empty for a policy of a resource
	resource  string // empty for a policy of a principal
	rules     []wireRule
}

type wireRule struct {
	PrincipalID *string `json:"principalId"`
	ResourceID  *string `json:"resourceId"`
	Operation   string  `json:"operation"`
	Type        int     `json:"type"`
}

type wirePolicy struct {
	head
	ID          string     `json:"id"`
	Reference   string     `json:"reference"`
	PrincipalID *string    `json:"principalId"`
	ResourceID  *string    `json:"resourceId"`
	Rules       []wireRule `json:"rules"`
}

// getPolicy answers a policy by its reference.
func (s *Server) getPolicy(c *call) ([]byte, error) {
	p, err := own(c, s.state.policies, c.value("reference"), "policy", func(p *policy) *account { return p.account })
	if err != nil {
		return nil, err
	}
	return encode(wirePolicy{
		c.link.head("Policies", "policies", p.reference),
		p.id, p.reference, orNull(p.principal), orNull(p.resource), p.rules,
	}), nil
}
