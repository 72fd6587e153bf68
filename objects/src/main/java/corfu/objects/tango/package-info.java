/**
 * Tango's interface (dissertation, sections 5.1 and 5.2), for those who roll their own objects: an
 * {@code apply} upcall with the log address, an update and a query helper, checkpoints, and
 * transactions whose commit records are decided by those who read them.
 *
 * <p>Enter at {@link corfu.objects.tango.TangoRuntime}. Why, and how it differs from {@link
 * corfu.objects}: docs/decisions/0018-tangos-interface.md.
 */
@NullMarked
package corfu.objects.tango;

import org.jspecify.annotations.NullMarked;
