/**
 * Quotas at one server: the rates, streams, stored bytes, subscriptions and connections of each
 * identity. They live on the server's loop and take the time from the server's clock.
 *
 * <p>Enter at {@link corfu.access.quota.QuotaLedger}, which the gate asks. {@code TokenBucket}
 * bounds a rate, {@code HoldingsCount} counts what streams store, and {@link
 * corfu.access.quota.QuotaTotals} adds up what several servers have counted.
 */
@NullMarked
package corfu.access.quota;

import org.jspecify.annotations.NullMarked;
