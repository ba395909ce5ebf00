package practicetest

import (
	"net/http"
	"strings"
)

// checkCredentials checks the x-api-key and Authorization headers, which every
// request needs.
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
		return unauthorised("The user of the access token no longer has access.")
	}
	return nil
}

func unauthorised(detail string) *problem {
	return refuse(http.StatusUnauthorized, "%s", detail).with("WWW-Authenticate", `Bearer error="invalid_token"`)
}

// checkAccount sets the firm of the request. An account prefix in the path
// requires a token from the client credentials grant.
func (s *Server) checkAccount(_ *http.Request, c *call) error {
	c.link = s.linkerFor(c.prefix)
	switch {
	case c.prefix != "" && !c.grant.clientCredentials:
		return unauthorised("An account prefix in the path requires the client credentials grant.").
			asMistake("an account prefix in the path requires a token from the client credentials grant")
	case c.prefix == SystemAccountID:
		if !c.route.systemAccount {
			return refuse(http.StatusForbidden, "The system account supports only webhook subscriptions.").
				asMistake("the system account supports only webhook subscriptions")
		}
		c.account = &account{id: SystemAccountID}
	case c.prefix == "" && s.cfg.multiAccount && c.grant.clientCredentials:
		return unauthorised("The path must begin with the id of the account.").
			asMistake("the path must begin with the id of the account, because the client has several accounts")
	case c.prefix == "":
		c.account = s.state.accounts[c.grant.accountID]
	case s.cfg.multiAccount:
		c.account = s.state.accounts[c.prefix]
	default:
		return unauthorised("The path must not begin with the id of an account.").
			asMistake("the path must not begin with the id of an account, because the client has only one account")
	}
	if c.account == nil {
		return unauthorised("The access token is not valid for this account.")
	}
	return nil
}

// checkUser sets the acting user: the one in the UserId header, or the user of
// the token.
func (s *Server) checkUser(r *http.Request, c *call) error {
	c.userID = c.grant.userID
	named := r.Header.Get("UserId")
	if named == "" {
		return nil
	}
	if !isUUID(named) {
		return invalid(fieldFault{"UserId", "Invalid", "must be a UUID"})
	}
	named = strings.ToLower(named)
	switch {
	case c.grant.clientCredentials:
	case named == c.grant.userID:
		return nil
	default:
		return unauthorised("The access token belongs to a different user.").
			asMistake("a UserId other than the user of the token requires the client credentials grant")
	}
	if !s.state.enabledUser(c.account.id, named) {
		return unauthorised("The UserId does not belong to an enabled user of this firm.")
	}
	c.userID = named
	return nil
}

// grantNeeded restricts an operation to tokens of a kind of grant.
type grantNeeded struct {
	needs   string // "clientCredentials", or "user": the token or the UserId header names a user
	refusal int    // response status if the requirement is not met
	// If parameter is set, the requirement applies only to requests whose path
	// parameter of that name equals value.
	parameter, value string
}

// concerns reports whether the requirement applies to the call.
func (n *grantNeeded) concerns(c *call) bool {
	return n != nil && (n.parameter == "" || sameID(c.value(n.parameter)) == n.value)
}

// checkGrant refuses a token of the wrong kind of grant. Such a request can
// succeed in no state of the service, so it counts as a mistake of the client.
func (s *Server) checkGrant(_ *http.Request, c *call) error {
	needed := c.route.grant
	switch {
	case !needed.concerns(c):
		return nil
	case needed.needs == "clientCredentials" && !c.grant.clientCredentials:
		return needed.refuse(fieldFault{"Authorization", "Invalid", "must be a token from the client credentials grant"})
	case needed.needs == "user" && c.userID == "":
		return needed.refuse(fieldFault{"UserId", "NotNull", "is required with client credentials"})
	}
	return nil
}

// refuse returns the problem for a wrong header, in the format that the service
// uses for the status.
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

// checkScope requires the token to have each scope of the operation.
func (s *Server) checkScope(_ *http.Request, c *call) error {
	for scope := range strings.FieldsSeq(c.route.scope) {
		if !c.scopes.allow(scope) {
			return refuse(http.StatusForbidden, "The access token does not have the scope %s.", scope)
		}
	}
	return nil
}
