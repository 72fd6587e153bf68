/**
 * Values of objects that stay in the log. {@code LogValue} is the place of one, and {@code
 * LogValues} reads them. {@code ValueSearch} finds values whose entries have been forgotten.
 */
@NullMarked
package corfu.objects.internal.value;

import org.jspecify.annotations.NullMarked;
