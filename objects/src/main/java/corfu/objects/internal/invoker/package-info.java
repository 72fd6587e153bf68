/**
 * Receivers of the calls on opened objects: of now or of the past, played by this client or by
 * servers. {@code ObjectInvoker} finds the receiver of an object.
 */
@NullMarked
package corfu.objects.internal.invoker;

import org.jspecify.annotations.NullMarked;
