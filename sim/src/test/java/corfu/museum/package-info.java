/**
 * Shows that exhibits of the bug museum catch what they are for: plants the bug, and sees them
 * fail.
 */
@NullMarked
package corfu.museum;

import org.jspecify.annotations.NullMarked;
