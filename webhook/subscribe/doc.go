// Package subscribe keeps a webhook subscription in a desired state: it creates
// a missing subscription, corrects one that differs, and reports the period in
// which events may have been missed. Package webhook receives the events.
//
// The service removes a subscription when the refresh token expires, when
// access is revoked and when the app is uninstalled. [Keep] checks the
// subscription at once, after each new access token and at regular intervals:
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
// [Ensure] checks once. Both functions use the client's call settings; to use
// other settings, derive a client with [practice.Client.With].
package subscribe
