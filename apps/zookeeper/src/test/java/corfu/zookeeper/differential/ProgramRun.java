package corfu.zookeeper.differential;

import corfu.zookeeper.wire.Packet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.SyncRequest;

/** Runs one program on one service. */
final class ProgramRun {

  private static final long UNKNOWN_SESSION = 0x7eadbeefL;
  private static final long FUTURE_ZXID = Long.MAX_VALUE - 1;
  private static final int SHORT_PASSWORD_BYTES = 3;

  private final Observer observer;
  private final String prefix;
  private final Transcript transcript = new Transcript();
  private final ReplyText text = new ReplyText(transcript, this::ownerText);
  private final Map<Integer, TestSession> sessions = new TreeMap<>();
  private final List<TestSession> all = new ArrayList<>();
  private final Map<Long, String> names = new HashMap<>();

  private ProgramRun(Observer observer, String prefix) {
    this.observer = observer;
    this.prefix = prefix;
  }

  /**
   * Runs the program.
   *
   * @param prefix the path of the program's own node, which no other program uses
   * @return the replies and watch events of all sessions
   * @throws IOException if the service does not answer
   */
  static List<String> run(Program program, Observer observer, String prefix) throws IOException {
    observer.create(prefix);
    var run = new ProgramRun(observer, prefix);
    try {
      int number = 0;
      for (Step step : program.steps()) {
        number++;
        run.transcript.add("--- step " + number + ": " + step);
        run.carryOut(step);
        run.settle();
      }
      return run.transcript.finished();
    } finally {
      run.end();
    }
  }

  private void end() throws IOException {
    for (TestSession session : all) {
      session.closeSession();
    }
    observer.deleteAll(prefix);
  }

  private void carryOut(Step step) throws IOException {
    switch (step) {
      case Step.Open open -> open(open.session());
      case Step.Send send -> send(send);
      case Step.Close close -> close(close.session());
      case Step.Reconnect reconnect -> reconnect(reconnect);
      case Step.Expire expire -> expire(expire.session());
    }
  }

  private void open(int index) throws IOException {
    TestSession last = sessions.get(index);
    if (last != null && last.isConnected()) {
      return;
    }
    var session = new TestSession(observer.subject().port(), "session" + all.size());
    all.add(session);
    sessions.put(index, session);
    say(session, session.connect(TestSession.TIMEOUT_MILLIS));
    names.put(session.id(), session.name());
  }

  private void send(Step.Send send) throws IOException {
    TestSession session = sessions.get(send.session());
    if (session == null || !session.isConnected()) {
      transcript.add("not connected");
      return;
    }
    List<Integer> xids = new ArrayList<>();
    for (Request request : send.requests()) {
      var context = new Request.Context(prefix, session.lastZxid());
      xids.add(session.send(request.operation(), request.body().record(context)));
    }
    session.flush();
    for (int i = 0; i < xids.size() && session.isConnected(); i++) {
      Request request = send.requests().get(i);
      receiveReply(session, request.operation(), xids.get(i), request.text());
    }
  }

  /** Adds the watch events before the reply, and the reply. */
  private void receiveReply(TestSession session, int operation, int xid, String request)
      throws IOException {
    List<Packet> events = new ArrayList<>();
    Optional<Packet> packet = session.receive();
    while (packet.isPresent() && packet.get().isEvent()) {
      events.add(packet.get());
      packet = session.receive();
    }
    EventOrder.comparable(events).forEach(event -> say(session, text.ofEvent(event)));
    if (packet.isEmpty()) {
      say(session, "closed by the server");
      return;
    }
    String order = packet.get().xid() == xid ? "" : " in reply to xid " + packet.get().xid();
    say(session, "%s: %s%s".formatted(request, text.of(operation, packet.get()), order));
    if (endsConnection(packet.get())) {
      say(session, session.awaitEnd() ? "closed by the server" : "still connected");
    }
  }

  /** ZooKeeper may answer one more request before it closes the connection after these errors. */
  private static boolean endsConnection(Packet reply) {
    return reply.error() == Code.UNIMPLEMENTED.intValue()
        || reply.error() == Code.AUTHFAILED.intValue();
  }

  private void close(int index) throws IOException {
    TestSession session = sessions.get(index);
    if (session != null && session.isConnected()) {
      session.closeSession();
      say(session, "closed");
    }
  }

  private void reconnect(Step.Reconnect reconnect) throws IOException {
    TestSession session = sessions.get(reconnect.session());
    if (session == null) {
      return;
    }
    long id = session.id();
    byte[] password = session.password();
    switch (reconnect.variant()) {
      case AFTER_DROP -> {
        session.close();
        say(session, session.connect(TestSession.TIMEOUT_MILLIS));
      }
      case WHILE_CONNECTED -> say(session, session.connect(TestSession.TIMEOUT_MILLIS));
      case WRONG_PASSWORD -> {
        byte[] wrong = password.clone();
        wrong[0]++;
        connectWithout(session, wrong);
      }
      case SHORT_PASSWORD -> connectWithout(session, new byte[SHORT_PASSWORD_BYTES]);
      case UNKNOWN_SESSION -> say(session, session.connectInVain(UNKNOWN_SESSION, 0, password));
      case FUTURE_ZXID -> say(session, session.connectInVain(id, FUTURE_ZXID, password));
    }
  }

  /**
   * Asks for a session without its password. A server closes the session's earlier connection
   * before it looks at the password. ZooKeeper forgets to do so if it has noticed the end of an
   * even earlier connection late. So the program ends the connection itself.
   */
  private void connectWithout(TestSession session, byte[] password) throws IOException {
    say(session, session.connectInVain(session.id(), 0, password));
    session.close();
  }

  private void expire(int index) throws IOException {
    TestSession session = sessions.get(index);
    if (session != null && session.isConnected()) {
      say(session, observer.expire(session));
    }
  }

  /** Gets all watch events of the last step, by a sync of each session. */
  private void settle() throws IOException {
    Map<TestSession, Integer> xids = new HashMap<>();
    for (TestSession session : sessions.values()) {
      if (session.isConnected()) {
        xids.put(session, session.send(OpCode.sync, new SyncRequest(prefix)));
        session.flush();
      }
    }
    for (TestSession session : sessions.values()) {
      if (xids.containsKey(session)) {
        receiveReply(session, OpCode.sync, xids.get(session), "settled");
      }
    }
  }

  private void say(TestSession session, String line) {
    transcript.add(session.name() + " " + line);
  }

  /** Sessions have other ids on each service; zero and the marks of TTL nodes do not. */
  private String ownerText(long owner) {
    return names.getOrDefault(owner, Long.toHexString(owner));
  }
}
