/**
 * Transactions over several objects, and routes to the parts of composed objects. {@code
 * Transactions} runs them for a client's threads. A {@code Transaction} reads at one {@code
 * TransactionSnapshot} and appends one entry.
 */
@NullMarked
package corfu.objects.internal.transaction;

import org.jspecify.annotations.NullMarked;
