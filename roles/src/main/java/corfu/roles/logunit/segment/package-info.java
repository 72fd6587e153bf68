/**
 * The log files. {@code Segments} owns them, and no other code opens one to write. {@code Segment}
 * is the state of one file, {@code SegmentIndex} is its content, and {@code Footer} is the content
 * on the disk. {@code SegmentScan} reads a file without a footer. {@code Inventory} names the files
 * that must exist.
 */
@NullMarked
package corfu.roles.logunit.segment;

import org.jspecify.annotations.NullMarked;
