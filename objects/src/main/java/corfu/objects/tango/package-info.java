/**
 * Tango's interface (dissertation, sections 5.1 and 5.2), for applications with their own objects.
 * An object has an {@code apply} upcall with the log address, an update helper, a query helper and
 * checkpoints. Readers of a transaction's commit record decide whether it holds.
 *
 * <p>Enter at {@link corfu.objects.tango.TangoRuntime}. Why, and how it differs from {@link
 * corfu.objects}: docs/decisions/0018-tangos-interface.md.
 */
@NullMarked
package corfu.objects.tango;

import org.jspecify.annotations.NullMarked;
