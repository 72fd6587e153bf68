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

  /**
   * Returns the services that tests of clients run against: ours, and in long runs Apache
   * ZooKeeper, too, which shows that the tests expect the right thing.
   */
  public static List<Subjects> tested() {
    return "long".equals(System.getProperty("corfu.tests")) ? List.of(values()) : List.of(CORFU);
  }

  /** Returns the subject that is compared with {@link #REAL}. */
  public static Subjects compared() {
    return List.of(values()).getLast();
  }
}
