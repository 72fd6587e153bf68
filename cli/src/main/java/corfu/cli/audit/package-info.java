/** {@code corfu audit}: reads, verifies and trims the audit log. */
@NullMarked
package corfu.cli.audit;

import org.jspecify.annotations.NullMarked;
