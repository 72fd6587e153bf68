/**
 * What keeps the house in order: who may import whom, who may touch time and chance, and how
 * sources look.
 */
@NullMarked
package corfu.architecture;

import org.jspecify.annotations.NullMarked;
