/**
 * Objects that a server plays for clients, for {@code corfu.objects.host}. Enter at {@link
 * corfu.objects.internal.hosted.HostedObjects}.
 */
@NullMarked
package corfu.objects.internal.hosted;

import org.jspecify.annotations.NullMarked;
