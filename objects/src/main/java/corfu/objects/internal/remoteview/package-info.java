/**
 * Objects that servers play for this client. {@code RemoteView} asks the servers what calls return,
 * and appends changes itself.
 */
@NullMarked
package corfu.objects.internal.remoteview;

import org.jspecify.annotations.NullMarked;
