package corfu.transport.tls;

import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * A JDK context that passes all calls to the newest one. Servers and clients that keep one context
 * for ever use changed files, too. Sessions end when files change. Thread-safe.
 */
final class FollowingContext extends SSLContext {

  FollowingContext(Supplier<SSLContext> newest) {
    super(new Delegate(newest), newest.get().getProvider(), TlsContexts.VERSION);
  }

  /** Returns the context of these files. */
  static SSLContext of(LoadedTls files) {
    KeyManager[] own = files.own().stream().map(OwnCertificate::new).toArray(KeyManager[]::new);
    try {
      SSLContext context = SSLContext.getInstance(TlsContexts.VERSION);
      context.init(own, new TrustManager[] {files.check()}, null);
      for (SSLSessionContext sessions :
          new SSLSessionContext[] {
            context.getServerSessionContext(), context.getClientSessionContext()
          }) {
        sessions.setSessionCacheSize((int) TlsContexts.MAX_SESSIONS);
        sessions.setSessionTimeout((int) TlsContexts.SESSION_SECONDS);
      }
      return context;
    } catch (GeneralSecurityException e) {
      throw new TlsException("the TLS files cannot be used: " + e.getMessage(), e);
    }
  }

  private static final class Delegate extends SSLContextSpi {
    private final Supplier<SSLContext> newest;

    private Delegate(Supplier<SSLContext> newest) {
      this.newest = newest;
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("this context has its files already");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return newest.get().getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return newest.get().getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return newest.get().createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return newest.get().createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return newest.get().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return newest.get().getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return newest.get().getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return newest.get().getSupportedSSLParameters();
    }
  }
}
