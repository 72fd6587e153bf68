/**
 * The location of each address's record in few bytes: the page map of SLICE (SYSTOR 2013, section
 * 4.2). A log unit uses {@code PageMap}, which divides addresses into {@code Window}s of one {@code
 * CuckooTable} each. Nothing here knows of files, streams or messages.
 */
@NullMarked
package corfu.roles.logunit.pagemap;

import org.jspecify.annotations.NullMarked;
