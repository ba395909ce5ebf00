package practicetest

import (
	"slices"
	"strings"
)

// scopes are what a token was granted; nil stands for all of them.
type scopes []string

func (s scopes) allow(scope string) bool { return s == nil || slices.Contains(s, scope) }

// everyScope collects the scopes that a client can ask for: those of the operations,
// planned ones included, both of a resource that has one of them written, and the
// standard ones of OpenID Connect.
func everyScope(all []operation) map[string]bool {
	known := map[string]bool{"openid": true, "profile": true, "email": true, "offline_access": true}
	for i := range all {
		for scope := range strings.FieldsSeq(all[i].scope) {
			known[scope] = true
			if resource, writes := strings.CutSuffix(scope, "/write"); writes && resource != "search" {
				known[resource+"/read"] = true
			}
		}
	}
	return known
}

// askedScopes reads a scope parameter: nil without one, which asks for all.
func (s *Server) askedScopes(text string) (scopes, error) {
	asked := strings.Fields(text)
	if len(asked) == 0 {
		return nil, nil
	}
	for _, scope := range asked {
		if !s.scopes[scope] {
			return nil, badToken("invalid_scope", "There is no scope "+scope+".").asMistake("there is no scope %q", scope)
		}
	}
	return asked, nil
}

// lesserScopes reads the scope parameter of a refresh, which asks for no more than
// was granted.
func (s *Server) lesserScopes(granted scopes, text string) (scopes, error) {
	asked, err := s.askedScopes(text)
	if err != nil || asked == nil {
		return granted, err
	}
	for _, scope := range asked {
		if !granted.allow(scope) {
			return nil, badToken("invalid_scope", "The scope "+scope+" was not granted.").asMistake("the scope %q was not granted", scope)
		}
	}
	return asked, nil
}
