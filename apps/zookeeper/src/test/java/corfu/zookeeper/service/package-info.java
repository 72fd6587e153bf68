/**
 * The behaviour of translation servers in this process: faults, moves of sessions, ports and
 * limits. Enter at {@link corfu.zookeeper.service.Services}.
 */
@NullMarked
package corfu.zookeeper.service;

import org.jspecify.annotations.NullMarked;
