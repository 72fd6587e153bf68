package corfu.zookeeper.subject;

import java.io.IOException;
import java.util.List;

/** The services that tests run against. */
public enum Subjects {
  /** Apache ZooKeeper itself. */
  REAL {
    @Override
    public Subject start(SubjectOptions options) throws IOException {
      return RealSubject.start("ZooKeeper", options);
    }
  },
  /** A translation server. */
  CORFU {
    @Override
    public Subject start(SubjectOptions options) throws IOException {
      return CorfuSubject.start(options);
    }
  };

  /**
   * Starts a service without nodes on a free port of the loopback address.
   *
   * @throws IOException if the service does not start
   */
  public abstract Subject start(SubjectOptions options) throws IOException;

  /** Returns the subject that is compared with {@link #REAL}. */
  public static Subjects compared() {
    return List.of(values()).getLast();
  }
}
