/**
 * Silver: a file system over streams of which every version stays (dissertation, section 6.2).
 * {@link corfu.silver.Silver} finds, creates and clones file systems; {@link
 * corfu.silver.SilverFileSystem} has the operations of one.
 */
@NullMarked
package corfu.silver;

import org.jspecify.annotations.NullMarked;
