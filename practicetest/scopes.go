package practicetest

import (
	"slices"
	"strings"
)

// scopes holds the scopes of a token. nil means all scopes.
type scopes []string

func (s scopes) allow(scope string) bool { return s == nil || slices.Contains(s, scope) }

// publishedScopes lists the resources with documented scopes. A resource
// without a slash has a read and a write scope.
const publishedScopes = "matters items/read mattertypes/read layouts layoutdesigns roles stages stagesets memos documents archive " +
	"referraltypes bankaccounts activitycodes billingconfiguration expenses fees invoices contacts firm firmusers staff users/read " +
	"groups policies events notifications tasks webhooks plugins search/write odata/read"

// everyScope returns the scopes that a client can request: the documented ones,
// those of all operations, and the standard scopes of OpenID Connect.
func everyScope(all []operation) map[string]bool {
	known := map[string]bool{"openid": true, "profile": true, "email": true, "offline_access": true}
	for name := range strings.FieldsSeq(publishedScopes) {
		if strings.Contains(name, "/") {
			known[name] = true
		} else {
			known[name+"/read"], known[name+"/write"] = true, true
		}
	}
	for i := range all {
		for scope := range strings.FieldsSeq(all[i].scope) {
			known[scope] = true
		}
	}
	return known
}

// askedScopes parses the parameter scope. It returns nil, which means all
// scopes, if the parameter is empty.
func (s *Server) askedScopes(text string) (scopes, error) {
	asked := strings.Fields(text)
	if len(asked) == 0 {
		return nil, nil
	}
	for _, scope := range asked {
		if !s.scopes[scope] {
			return nil, badToken("invalid_scope", "The scope "+scope+" does not exist.").asMistake("the scope %q does not exist", scope)
		}
	}
	return asked, nil
}

// lesserScopes parses the parameter scope of a refresh, which must not exceed
// the granted scopes.
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
