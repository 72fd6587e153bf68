/**
 * Services with ZooKeeper's protocol that tests run against. Enter at {@link
 * corfu.zookeeper.subject.Subjects}.
 */
@NullMarked
package corfu.zookeeper.subject;

import org.jspecify.annotations.NullMarked;
