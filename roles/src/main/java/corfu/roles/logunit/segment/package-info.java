/**
 * The segment files. {@code Segments} owns them and nothing else opens one to write; {@code
 * Segment} is the state of one file, {@code SegmentIndex} its content and {@code Footer} the same
 * on the disk. {@code SegmentScan} reads a file without a footer, {@code Inventory} names the files
 * that have to be there.
 */
@NullMarked
package corfu.roles.logunit.segment;

import org.jspecify.annotations.NullMarked;
