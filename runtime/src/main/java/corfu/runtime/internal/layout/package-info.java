/** The newest layout that a client knows, and how it notices servers that it cannot reach. */
@NullMarked
package corfu.runtime.internal.layout;

import org.jspecify.annotations.NullMarked;
