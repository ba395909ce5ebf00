// Package feed provides the services that the contestants call. They do as
// little work as possible and send responses recorded from the embedded
// service.
package feed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/practicetest"
)

// PageSize is the number of events on a full page, and of accounts in the list.
const PageSize = 500

// Addresses of the in-memory service.
const (
	BaseURL  = "https://api.example.test/practice/v1"
	TokenURL = "https://auth.example.test/token"
)

// Answers holds responses of the embedded service.
type Answers struct {
	Events   []json.RawMessage // a full page of calendar events
	Accounts []byte            // the bank accounts, repeated up to a full page
	Staff    []byte            // one staff member, 1 KB
	StaffID  string
}

// Capture records the responses of an embedded service. The service has a fixed
// clock, so that the responses are always the same.
func Capture() (*Answers, error) {
	server, err := practicetest.Start(
		practicetest.WithVirtualClock(time.Date(2026, 8, 1, 9, 0, 0, 0, time.UTC)), practicetest.WithEvents(PageSize+PageSize/2))
	if err != nil {
		return nil, err
	}
	defer func() { _ = server.Close() }() // it has no state to save
	answers := &Answers{StaffID: server.Firm().StaffID}
	if answers.Staff, err = get(server, "/staff/"+answers.StaffID); err != nil {
		return nil, err
	}
	if answers.Events, err = records(server, "/events?Limit=500&From=2000-01-01T00:00:00"); err != nil {
		return nil, err
	}
	accounts, err := records(server, "/bankaccounts")
	if err != nil {
		return nil, err
	}
	answers.Accounts = List("/bankaccounts", "BankAccounts", accounts)
	return answers, nil
}

func get(server *practicetest.Server, path string) ([]byte, error) {
	req, err := http.NewRequest(http.MethodGet, server.BaseURL()+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-Api-Key", server.Credentials().APIKey)
	req.Header.Set("Authorization", "Bearer "+server.Credentials().AccessToken)
	resp, err := server.HTTPClient().Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }() // the body is read to its end below
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s: status %d, %w", path, resp.StatusCode, err)
	}
	return bytes.ReplaceAll(body, []byte(server.BaseURL()), []byte(BaseURL)), nil
}

func records(server *practicetest.Server, path string) ([]json.RawMessage, error) {
	body, err := get(server, path)
	if err != nil {
		return nil, err
	}
	var page struct {
		Value []json.RawMessage `json:"value"`
	}
	err = json.Unmarshal(body, &page)
	return page.Value, err
}

// List returns the response of a list operation: the records, repeated up to
// PageSize.
func List(path, relation string, records []json.RawMessage) []byte {
	list := []byte(`{"id":null,"href":"` + BaseURL + path + `","relation":"` + relation + `","method":"GET","value":[`)
	for i := range PageSize {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, records[i%len(records)]...)
	}
	return append(list, "]}"...)
}
