/**
 * What has been done to an object, as people want to read it: who, when, what. It needs none of the
 * classes that wrote it. Enter at {@link ObjectHistory}.
 */
@NullMarked
package corfu.objects.history;

import org.jspecify.annotations.NullMarked;
