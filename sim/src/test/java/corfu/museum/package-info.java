/**
 * Proves that the tests named in the bug museum catch their bugs: {@link
 * corfu.museum.BugMuseumTest} plants each bug, and expects its test to fail.
 */
@NullMarked
package corfu.museum;

import org.jspecify.annotations.NullMarked;
