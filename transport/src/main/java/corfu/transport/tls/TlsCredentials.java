package corfu.transport.tls;

import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.world.World;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates, keys and authorities of a process, for all its servers and clients.
 *
 * <p>The files are looked at each second. Changed files that are the same in two looks are loaded,
 * and used for handshakes from then on. Connections continue, except those of revoked certificates.
 * If changed files are wrong, the process continues with the earlier ones, and logs the remedy.
 *
 * <p>Certificates are replaced in this order without a failing handshake: add the new authority
 * beside the old one everywhere; then replace each certificate and its key; then remove the old
 * authority everywhere.
 *
 * <p>Thread-safe.
 */
public final class TlsCredentials implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TlsCredentials.class);

  /** The name of Corfu's protocol in the handshake (ALPN). */
  public static final String PROTOCOL = "corfu";

  /** The pause between two looks at the files. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final TlsCredentials NONE = new TlsCredentials(null, TlsOptions.OFF);

  private final @Nullable World world;
  private final TlsOptions options;
  private final List<Path> files;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** Held by the thread that loads files. */
  private final ReentrantLock loading = new ReentrantLock();

  private final AtomicReference<World.@Nullable Timer> timer = new AtomicReference<>();

  private volatile @Nullable LoadedTls loaded;
  private volatile @Nullable JdkContext newestJdkContext;
  private final AtomicLong loads = new AtomicLong();
  private volatile Optional<String> problem = Optional.empty();
  private volatile boolean closed;

  /** The stamps of the loaded files; guarded by {@link #loading}, as all below. */
  private FileStamps inUse = new FileStamps(List.of());

  private FileStamps lastSeen = new FileStamps(List.of());

  /** The context of one set of files. Two threads may build the same one. */
  private record JdkContext(long load, SSLContext context) {}

  private TlsCredentials(@Nullable World world, TlsOptions options) {
    this.world = world;
    this.options = options;
    List<Path> all = new ArrayList<>(options.authorities());
    options.certificate().ifPresent(all::add);
    options.key().ifPresent(all::add);
    options.revocations().ifPresent(all::add);
    this.files = List.copyOf(all);
  }

  /** Returns the credentials of a process without TLS. They need not be closed. */
  public static TlsCredentials off() {
    return NONE;
  }

  /**
   * Loads the files, and looks for changes until {@link #close}.
   *
   * @param world the process's clock, timers and threads
   * @param options the files and rules; with {@link TlsMode#OFF} no file is read
   * @throws TlsException if a file is missing, wrong, or readable by others, or if the own
   *     certificate has expired
   */
  public static TlsCredentials open(World world, TlsOptions options) {
    if (options.mode() == TlsMode.OFF) {
      return NONE;
    }
    TlsCredentials credentials = new TlsCredentials(world, options);
    credentials.reload();
    LOG.info(
        "TLS is {}, by {}",
        options.mode() == TlsMode.REQUIRED ? "required" : "optional",
        TlsContexts.engineName(options.engine()));
    credentials.lookLater();
    return credentials;
  }

  /** Returns whether connections are encrypted. */
  public TlsMode mode() {
    return options.mode();
  }

  /** Returns the present state, without secrets. */
  public TlsStatus status() {
    LoadedTls now = loaded;
    if (now == null) {
      return new TlsStatus(
          options.mode(),
          "none",
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          0,
          Optional.empty());
    }
    Optional<List<X509Certificate>> chain = now.own().map(CertifiedKey::chain);
    return new TlsStatus(
        options.mode(),
        TlsContexts.engineName(options.engine()),
        now.own().map(CertifiedKey::identity),
        chain.map(certificates -> LoadedTls.fingerprint(certificates.getFirst())),
        chain.flatMap(LoadedTls::earliestEnd),
        LoadedTls.earliestEnd(now.authorities()),
        loads.get(),
        problem);
  }

  /** Returns the name that the own certificate proves, or anonymous without a certificate. */
  public Identity identity() {
    LoadedTls now = loaded;
    return now == null
        ? Identity.ANONYMOUS
        : now.own().map(CertifiedKey::identity).orElse(Identity.ANONYMOUS);
  }

  /**
   * Calls the listener after each load of changed files, on a thread of this object.
   *
   * @return ends the calls when it is closed
   */
  public Subscription onReload(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** A registered listener. */
  @FunctionalInterface
  public interface Subscription extends AutoCloseable {
    /** Ends the calls of the listener. */
    @Override
    void close();
  }

  /**
   * Loads the files now.
   *
   * @throws TlsException if they cannot be used; the earlier ones continue to be used
   */
  public void reload() {
    loading.lock();
    try {
      load(FileStamps.of(files));
    } finally {
      loading.unlock();
    }
  }

  private void load(FileStamps stamps) {
    World clock = world;
    if (clock == null) {
      return;
    }
    LoadedTls fresh = LoadedTls.read(options, clock::wallTimeMillis);
    boolean isFirst = loaded == null;
    loaded = fresh;
    inUse = stamps;
    lastSeen = stamps;
    problem = Optional.empty();
    loads.incrementAndGet();
    if (!isFirst) {
      LOG.info("loaded the changed TLS files; handshakes use them from now on");
      listeners.forEach(Runnable::run);
    }
  }

  private void lookLater() {
    World clock = world;
    if (clock != null && !closed) {
      timer.set(clock.after(LOOK_NANOS, () -> clock.start("corfu-tls-files", this::lookAndRepeat)));
    }
  }

  private void lookAndRepeat() {
    try {
      look();
    } finally {
      lookLater();
    }
  }

  private void look() {
    loading.lock();
    try {
      FileStamps seen = FileStamps.of(files);
      boolean isSettled = seen.equals(lastSeen);
      lastSeen = seen;
      if (isSettled && (!seen.equals(inUse) || problem.isPresent())) {
        load(seen);
      }
    } catch (TlsException | IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage());
      if (!problem.equals(Optional.of(reason))) {
        LOG.warn("the changed TLS files are not used, the earlier ones are: {}", reason);
        problem = Optional.of(reason);
      }
    } finally {
      loading.unlock();
    }
  }

  private LoadedTls loaded() {
    LoadedTls now = loaded;
    if (now == null) {
      throw new IllegalStateException("this process has no TLS");
    }
    return now;
  }

  /**
   * Returns whether servers can use these credentials.
   *
   * @throws TlsException if TLS is on, but there is no own certificate
   */
  public void checkForServer() {
    LoadedTls now = loaded;
    if (now != null && now.own().isEmpty()) {
      throw new TlsException(
          "a server with TLS needs a certificate and its private key: name both files");
    }
  }

  /**
   * Returns a new handler for a connection that a server has accepted.
   *
   * @param tasks runs the expensive steps of the handshake
   */
  public SslHandler serverHandler(ByteBufAllocator allocator, Executor tasks) {
    checkForServer();
    SslContext context = loaded().contexts().server().orElseThrow();
    return context.newHandler(allocator, tasks);
  }

  /** Returns a new handler for a client's connection to the endpoint. */
  public SslHandler clientHandler(ByteBufAllocator allocator, Endpoint endpoint) {
    return loaded().contexts().client().newHandler(allocator, endpoint.host(), endpoint.port());
  }

  /** Returns a new engine for a client's connection to the endpoint. It has to be released. */
  public SSLEngine clientEngine(ByteBufAllocator allocator, Endpoint endpoint) {
    return loaded().contexts().client().newEngine(allocator, endpoint.host(), endpoint.port());
  }

  /**
   * Returns the client of a connection whose handshake has ended.
   *
   * @throws SSLException if the client is not accepted; the message is for people of this side
   */
  public TlsPeer client(SSLEngine engine) throws SSLException {
    checkProtocol(engine);
    return client(certificates(engine.getSession()));
  }

  /**
   * Returns the server of a connection whose handshake has ended.
   *
   * @param host the host to which the client has connected
   * @throws SSLException if the server is not accepted; the message is for people of this side
   */
  public TlsPeer server(SSLEngine engine, String host) throws SSLException {
    checkProtocol(engine);
    return accept(certificates(engine.getSession()), Optional.of(host));
  }

  private TlsPeer accept(List<X509Certificate> certificates, Optional<String> host)
      throws SSLException {
    if (certificates.isEmpty()) {
      throw new SSLPeerUnverifiedException("there is no certificate");
    }
    try {
      return loaded().check().accept(certificates, host);
    } catch (PeerCertificateException e) {
      throw new SSLException(e.getMessage(), e);
    }
  }

  private static void checkProtocol(SSLEngine engine) throws SSLException {
    String protocol = engine.getApplicationProtocol();
    if (!PROTOCOL.equals(protocol)) {
      throw new SSLException(
          "it speaks '"
              + protocol
              + "' over TLS, not the protocol '"
              + PROTOCOL
              + "' (ALPN): check the port");
    }
  }

  private static List<X509Certificate> certificates(SSLSession session) {
    List<X509Certificate> certificates = new ArrayList<>();
    try {
      for (Certificate one : session.getPeerCertificates()) {
        certificates.add((X509Certificate) one);
      }
    } catch (SSLPeerUnverifiedException none) {
      return List.of();
    }
    return certificates;
  }

  /**
   * Returns a context of the JDK for servers and clients of other protocols, such as HTTPS. It uses
   * the newest files for each handshake. Its engines need {@link #serverParameters} or {@link
   * #clientParameters}, and a server asks {@link #clientOf} before it serves a request.
   */
  public SSLContext context() {
    var unused = loaded(); // fails early without TLS
    return new FollowingContext(this::jdkContext);
  }

  private SSLContext jdkContext() {
    long load = loads.get(); // before the files, which may be newer
    JdkContext known = newestJdkContext;
    if (known == null || known.load != load) {
      known = new JdkContext(load, FollowingContext.of(loaded()));
      newestJdkContext = known;
    }
    return known.context;
  }

  /** Returns the parameters of a server's engines of {@link #context}. */
  public SSLParameters serverParameters() {
    checkForServer();
    SSLParameters parameters = clientParameters();
    if (options.clients() == ClientCertificates.REQUIRED) {
      parameters.setNeedClientAuth(true);
    } else {
      parameters.setWantClientAuth(true);
    }
    return parameters;
  }

  /** Returns the parameters of a client's engines of {@link #context}. */
  public SSLParameters clientParameters() {
    return new SSLParameters(
        TlsContexts.CIPHERS.toArray(String[]::new), new String[] {TlsContexts.VERSION});
  }

  /**
   * Returns the client of a connection of another protocol, by the newest files: its certificate
   * may have expired or been revoked since the handshake.
   *
   * @param session the connection's session, of an engine of {@link #context}
   * @throws SSLException if the client is not accepted; the message is for people of this side
   */
  public TlsPeer clientOf(SSLSession session) throws SSLException {
    return client(certificates(session));
  }

  private TlsPeer client(List<X509Certificate> certificates) throws SSLException {
    if (certificates.isEmpty() && options.clients() == ClientCertificates.OPTIONAL) {
      return TlsPeer.ANONYMOUS;
    }
    return accept(certificates, Optional.empty());
  }

  /** Returns whether the certificate of a connection has been revoked since its handshake. */
  public boolean isRevoked(TlsPeer peer) {
    LoadedTls now = loaded;
    return now != null && now.check().isRevoked(peer);
  }

  /** Ends the looks at the files. Connections continue. */
  @Override
  public void close() {
    closed = true;
    World.Timer last = timer.getAndSet(null);
    if (last != null) {
      last.cancel();
    }
  }
}
