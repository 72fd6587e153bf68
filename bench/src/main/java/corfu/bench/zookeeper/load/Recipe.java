package corfu.bench.zookeeper.load;

/** The operations of table 6.1 of the dissertation. Their definitions are the benchmark's own. */
public enum Recipe {
  /** Three clients at different servers enter a double barrier: until the last has entered. */
  BARRIER,

  /** Three clients at different servers want a lock at the same time: until a client holds it. */
  LOCK,

  /** From the offer of an item until a client at another server has taken it from the queue. */
  QUEUE,

  /** A read of an existing node. */
  QUERY
}
