/**
 * The part of a client that all of its objects share. {@code ObjectClient} is its way to the log.
 * {@code ObjectContext} is one object as this client opened it: whatever plays or changes the
 * object receives it. {@code StreamEndCoalescer} asks the sequencer once for all threads that ask
 * at the same time.
 */
@NullMarked
package corfu.objects.internal.client;

import org.jspecify.annotations.NullMarked;
