package practicetest

import (
	"encoding/xml"
	"net/http"
	"strconv"
)

// storageFault is an error answer of the storage.
type storageFault struct {
	status int

	XMLName      xml.Name `xml:"Error"`
	Code         string
	Message      string
	Key          string `xml:",omitempty"`
	ArgumentName string `xml:",omitempty"`
	Expires      string `xml:",omitempty"`
	ServerTime   string `xml:",omitempty"`
}

func signatureMismatch(message string) *storageFault {
	return &storageFault{status: http.StatusForbidden, Code: "SignatureDoesNotMatch", Message: message}
}

func (f *storageFault) body() []byte {
	text, err := xml.Marshal(f)
	if err != nil {
		panic("practicetest: an error that is not XML: " + err.Error())
	}
	return append([]byte(xml.Header), text...)
}

func (f *storageFault) write(w http.ResponseWriter) {
	body := f.body()
	w.Header().Set("Content-Type", "application/xml")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(f.status)
	_, _ = w.Write(body) // fails only when the client has left
}
