// Package subscribe maintains a webhook subscription as desired state: it
// creates what is missing, repairs what differs, and reports since when events
// may have been missed. Package webhook receives them.
//
// The service drops a subscription when the refresh token expires, when access
// is revoked and when the app is uninstalled. [Keep] checks it at once, after
// each new access token and at an interval:
//
//	for report, err := range subscribe.Keep(ctx, client, spec) {
//		switch {
//		case err != nil:
//			slog.Warn("webhook subscription", "error", err)
//		case report.Missed != nil:
//			catchUp(ctx, report.Missed.Since)
//		}
//	}
//
// [Ensure] makes one check. Both take the settings of a call from the client:
// [practice.Client.With] derives one with others.
package subscribe
