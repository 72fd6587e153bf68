/**
 * Quotas of directories: their limits, and the space in use. Enter at {@link
 * corfu.silver.quota.QuotaStatus}.
 */
@NullMarked
package corfu.silver.quota;

import org.jspecify.annotations.NullMarked;
