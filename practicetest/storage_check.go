package practicetest

import (
	"net/http"
	"slices"
)

// checkHeaders refuses what belongs to the interface: a credential that reaches
// the storage has left the hands it was given to.
func checkHeaders(r *http.Request) *storageFault {
	for _, name := range []string{"Authorization", "X-Api-Key", "Requestid", "Userid"} {
		if len(r.Header.Values(name)) > 0 {
			return &storageFault{
				status: http.StatusBadRequest, Code: "InvalidArgument", ArgumentName: name,
				Message: "Only one auth mechanism allowed: the signature of the address. The header " + name + " was sent as well.",
			}
		}
	}
	return nil
}

// checkLength refuses an upload whose length is not known beforehand.
func checkLength(r *http.Request) *storageFault {
	switch {
	case r.Method != http.MethodPut:
		return nil
	case slices.Contains(r.TransferEncoding, "chunked"):
		return &storageFault{
			status: http.StatusNotImplemented, Code: "NotImplemented", ArgumentName: "Transfer-Encoding",
			Message: "A header you provided implies functionality that is not implemented: Transfer-Encoding.",
		}
	case r.Header.Get("Content-Length") == "" && r.ContentLength <= 0:
		return &storageFault{
			status: http.StatusLengthRequired, Code: "MissingContentLength",
			Message: "You must provide the Content-Length HTTP header.",
		}
	}
	return nil
}

// checkType refuses a media type: the address is signed for an empty one.
func checkType(r *http.Request) *storageFault {
	if r.Method == http.MethodPut && len(r.Header.Values("Content-Type")) > 0 {
		return signatureMismatch("The address was signed for a request without a Content-Type.")
	}
	return nil
}
