package practicetest

import (
	"net/http"
	"strings"
)

// checkCredentials reads the two headers that every request carries.
func (s *Server) checkCredentials(r *http.Request, c *call) error {
	key := r.Header.Get("x-api-key")
	if key != s.credentials.APIKey {
		p := refuse(http.StatusForbidden, "The x-api-key header is missing or wrong.")
		if key == "" {
			return p.asMistake("the x-api-key header is missing")
		}
		return p
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return unauthorised("The Authorization header is missing or not a bearer credential.").
			asMistake("the Authorization header is missing or not a bearer credential")
	}
	bearer := s.grants.byAccessToken(token, c.now)
	c.grant, c.scopes = bearer.grant, bearer.scopes
	if c.grant == nil {
		return unauthorised("The access token is unknown or has expired.")
	}
	if c.grant.userID != "" && !s.state.enabledUser(c.grant.accountID, c.grant.userID) {
		return unauthorised("The user of the access token has no access any more.")
	}
	return nil
}

func unauthorised(detail string) *problem {
	return refuse(http.StatusUnauthorized, "%s", detail).with("WWW-Authenticate", `Bearer error="invalid_token"`)
}

// checkAccount returns the firm of the request. An account prefix in the path
// needs a token of the client credentials grant.
func (s *Server) checkAccount(_ *http.Request, c *call) error {
	c.link = s.linkerFor(c.prefix)
	switch {
	case c.prefix != "" && !c.grant.clientCredentials:
		return unauthorised("An account prefix needs the client credentials grant.").
			asMistake("an account prefix needs a token of the client credentials grant")
	case c.prefix == SystemAccountID:
		if !c.route.systemAccount {
			return refuse(http.StatusForbidden, "The system account has webhook subscriptions only.").
				asMistake("the system account has webhook subscriptions only")
		}
		c.account = &account{id: SystemAccountID}
	case c.prefix == "" && s.cfg.multiAccount && c.grant.clientCredentials:
		return unauthorised("The account prefix is missing.").
			asMistake("a client of several accounts names the account as the first path segment")
	case c.prefix == "":
		c.account = s.state.accounts[c.grant.accountID]
	case s.cfg.multiAccount:
		c.account = s.state.accounts[c.prefix]
	default:
		return unauthorised("The client has one account, which no path names.").
			asMistake("a client of one account names no account in the path")
	}
	if c.account == nil {
		return unauthorised("The access token is not for this account.")
	}
	return nil
}

// checkUser reads the UserId header.
func (s *Server) checkUser(r *http.Request, c *call) error {
	c.userID = c.grant.userID
	named := r.Header.Get("UserId")
	if named == "" {
		return nil
	}
	if !isUUID(named) {
		return invalid(fieldFault{"UserId", "Invalid", "not a UUID"})
	}
	named = strings.ToLower(named)
	switch {
	case c.grant.clientCredentials:
	case named == c.grant.userID:
		return nil
	default:
		return unauthorised("The access token is that of another user.").
			asMistake("a UserId that is not the token's own needs the client credentials grant")
	}
	if !s.state.enabledUser(c.account.id, named) {
		return unauthorised("UserId is not an enabled user of this firm.")
	}
	c.userID = named
	return nil
}

// grantNeeded is a requirement on the grant that a token comes from.
type grantNeeded struct {
	needs   string // clientCredentials, or user: one whose token it is or whom UserId names
	refusal int    // the status without it
	// parameter and value narrow it to calls with the value in their path;
	// empty for all.
	parameter, value string
}

// concerns reports whether a call needs the grant.
func (n *grantNeeded) concerns(c *call) bool {
	return n != nil && (n.parameter == "" || sameID(c.value(n.parameter)) == n.value)
}

// checkGrant wants the token to come from the grant that the operation needs.
// No state of the service allows the request otherwise.
func (s *Server) checkGrant(_ *http.Request, c *call) error {
	needed := c.route.grant
	switch {
	case !needed.concerns(c):
		return nil
	case needed.needs == "clientCredentials" && !c.grant.clientCredentials:
		return needed.refuse(fieldFault{"Authorization", "Invalid", "not a token of the client credentials grant, which the operation needs"})
	case needed.needs == "user" && c.userID == "":
		return needed.refuse(fieldFault{"UserId", "NotNull", "required with client credentials"})
	}
	return nil
}

// refuse returns the fault of a header, in the form of the status.
func (n *grantNeeded) refuse(wrong fieldFault) *problem {
	switch text := sentence([]fieldFault{wrong}); n.refusal {
	case http.StatusBadRequest:
		return invalid(wrong)
	case http.StatusUnauthorized:
		return unauthorised(text).asMistake("%s", text)
	default:
		return refuse(n.refusal, "%s", text).asMistake("%s", text)
	}
}

// checkScope wants every scope of the operation to be among those granted.
func (s *Server) checkScope(_ *http.Request, c *call) error {
	for scope := range strings.FieldsSeq(c.route.scope) {
		if !c.scopes.allow(scope) {
			return refuse(http.StatusForbidden, "The access token lacks the scope %s.", scope)
		}
	}
	return nil
}
