"""Settings: one file, driven by the environment (`docs/guide/configuration.md` lists it all)."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import dj_database_url
from django.contrib.messages import constants
from django.core.exceptions import ImproperlyConfigured

from config import environment, logs, mail, sso

environment.take_over_settings()

BASE_DIR = environment.ROOT
DATA_DIR = environment.DATA
MODE = os.environ.get("PLATEAU_MODE") or ("development" if environment.TESTING else "production")
if MODE not in {"production", "development"}:
    raise ImproperlyConfigured(f"PLATEAU_MODE: found {MODE!r}, expected production or development")
DEVELOPMENT = MODE == "development"
DEBUG = False  # never: a traceback page shows settings; the log has what a developer needs

# --- secrets and hosts ------------------------------------------------------------------------
SECRET_KEY = os.environ.get("SECRET_KEY", "")
ALLOWED_HOSTS = environment.list_setting("ALLOWED_HOSTS")
if DEVELOPMENT:
    SECRET_KEY = SECRET_KEY or "development-only-" + "0123456789abcdef" * 4
    ALLOWED_HOSTS = ALLOWED_HOSTS or ["localhost", "127.0.0.1", "[::1]", "testserver"]
if not SECRET_KEY:
    raise ImproperlyConfigured(
        f"SECRET_KEY is not set, and `make run` has left no settings in {DATA_DIR}. "
        "If it keeps its data in another folder, set PLATEAU_DATA to that one; if it has not run "
        "here yet, type: make run. On a server set SECRET_KEY to 50 or more random characters "
        "(python -c 'import secrets; print(secrets.token_urlsafe(50))')."
    )
if not ALLOWED_HOSTS:
    raise ImproperlyConfigured(
        "ALLOWED_HOSTS is not set. Set it to the host names under which people reach Plateau, "
        "separated by commas, or set PLATEAU_MODE=development on your own machine."
    )

DATA_DIR.mkdir(parents=True, exist_ok=True)  # not before it is known to be the one meant

# --- parts ------------------------------------------------------------------------------------
PARTS_OF_ANALYSIS = sorted(
    each.parent.name
    for each in (BASE_DIR / "analysis").glob("*/__init__.py")
    if each.parent.name not in {"migrations", "statistics"}  # neither has commands or filters
)
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "people",
    "series",
    "annotate",
    "analysis",
    *(f"analysis.{each}" for each in PARTS_OF_ANALYSIS),  # for their commands and filters
]
MIDDLEWARE = [
    "config.middleware.RequestId",
    "config.middleware.ClientAddress",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.ContentSecurityPolicy",
    "config.middleware.CompressPages",
    "config.middleware.StorableText",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "people.middleware.KeptSessionCookie",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "people.middleware.PersonalPages",
    "people.middleware.NoteExports",
    "people.middleware.TimeZone",
    "people.last_study.LastStudy",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "config.middleware.HeadAsGet",
]
# Off unless who may ask is said: addresses or networks, a token, or both.
METRICS_FROM = environment.networks("PLATEAU_METRICS_FROM")
METRICS_TOKEN = os.environ.get("PLATEAU_METRICS_TOKEN", "")
if METRICS_FROM or METRICS_TOKEN:
    MIDDLEWARE.insert(0, "analysis.site.metrics.CountRequests")
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
MESSAGE_TAGS = {  # the kinds of a notice
    constants.DEBUG: "",
    constants.INFO: "",
    constants.SUCCESS: "good",
    constants.WARNING: "warn",
    constants.ERROR: "bad",
}
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "config.template_loader.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "people.page_context.frame",
            ],
            "builtins": [
                "django.templatetags.l10n",
                "django.templatetags.static",
                "people.templatetags.page_parts",
                "people.templatetags.writing",
                "series.templatetags.drawings",
                "analysis.comparison.templatetags.comparison_links",
                "analysis.series_page.templatetags.list_columns",
                "analysis.tuning.templatetags.tuning_words",
                "analysis.web.templatetags.results",
                "analysis.web.templatetags.run_figures",
                "analysis.what_to_do.templatetags.way_figures",
            ],
        },
    }
]

# --- database ---------------------------------------------------------------------------------
# Seconds that a page waits for SQLite's one write lock, or for a row that somebody else writes in
# PostgreSQL, then it says that the database is busy: less than the 20 after which the annotate page
# gives a request up, and few enough that waiting requests leave threads for those that read.
DATABASE_PATIENCE = 10
SQLITE = f"sqlite:///{DATA_DIR / 'plateau.sqlite3'}"
DATABASES = {"default": dj_database_url.parse(os.environ.get("DATABASE_URL") or SQLITE)}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["ENGINE"] = "people.backends.sqlite3"
    # IMMEDIATE: a deferred transaction that reads and then writes fails with "database is
    # locked" as soon as two processes do it, whatever the timeout (docs/design/sqlite.md).
    DATABASES["default"]["OPTIONS"] = {
        "timeout": DATABASE_PATIENCE,
        "transaction_mode": "IMMEDIATE",
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=268435456; "
            "PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY;"
        ),
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # Rows that come through a cursor are read to the last one: a plan that has the first tenth soon
    # takes many times as long. To compile a statement (jit) takes longer than any page's statement.
    # What DATABASE_URL says in its own `options` comes later, and wins.
    said = DATABASES["default"].setdefault("OPTIONS", {})
    usual_options = f"-c lock_timeout={DATABASE_PATIENCE}s -c cursor_tuple_fraction=1 -c jit=off"
    said["options"] = f"{usual_options} {said.get('options', '')}".rstrip()
# Where values of series lie (series.values_store); the others are read from as long as rows
# name them, so that values can be moved while people work.
VALUES_STORE = environment.chosen_word("VALUES_STORE", ("database", "folder", "s3"))
VALUES_FOLDER = Path(os.environ.get("VALUES_FOLDER") or DATA_DIR / "values")
VALUES_BUCKET = os.environ.get("VALUES_BUCKET", "")  # a bucket's name, or name/prefix
VALUES_S3_ENDPOINT = os.environ.get("VALUES_S3_ENDPOINT", "")  # none: Amazon's
if VALUES_STORE == "s3" and not VALUES_BUCKET:
    raise ImproperlyConfigured("VALUES_STORE=s3: found no VALUES_BUCKET, expected a bucket's name.")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {
        "BACKEND": "people.backends.file_cache.LossyFileCache",
        "LOCATION": DATA_DIR / "cache",
        "OPTIONS": {"MAX_ENTRIES": 2000},
    }
}

# --- workers ----------------------------------------------------------------------------------
REDIS_URL = os.environ.get("REDIS_URL", "")
BROKER_SOCKET = Path(os.environ.get("PLATEAU_BROKER_SOCKET") or DATA_DIR / "broker.sock")
CELERY_BROKER_URL = REDIS_URL or f"redis+socket://{quote(str(BROKER_SOCKET))}"
CHUNK_LEASE_SECONDS = environment.integer_setting("PLATEAU_LEASE_SECONDS", 120)
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 900
CELERY_TASK_SOFT_TIME_LIMIT = 840
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Celery kills a new process of the pool that has not reported in 4 s, over and over where the
# machine is slow or the database busy; one that hangs longer than a chunk may take is stuck.
CELERY_WORKER_PROC_ALIVE_TIMEOUT = CELERY_TASK_TIME_LIMIT
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Seconds that whoever sends, or asks how much waits, gives a broker that hangs. Workers that wait
# for work are not bounded by it: no message for an hour is no fault.
BROKER_PATIENCE = 2.0
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 1800,  # above the time limit, else a running task is delivered twice
    "unacked_restore_throttle": 1,  # look for lost messages at every tick, not every tenth
    # A page that finds no broker says so at once; what it could not send waits in the database.
    "max_retries": 0,
    "socket_connect_timeout": BROKER_PATIENCE,
}

# --- people -----------------------------------------------------------------------------------
AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = timedelta(minutes=5)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "config.errors.locked_out_page"
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
INVITATION_DAYS = 14
DEVICE_DAYS = 90  # from its last use, a device remembers who has no password
AUDIT_DAYS = environment.integer_setting(
    "PLATEAU_AUDIT_DAYS", 365
)  # 0: the audit log is kept for ever
SESSION_COOKIE_AGE = 7 * 24 * 3600
SESSION_SAVE_EVERY_REQUEST = False  # people.middleware renews once a day instead of at each click
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True
# Who may make studies, which is the right to fill the disk.
STUDY_CREATORS = os.environ.get("PLATEAU_STUDY_CREATORS") or ("anybody" if DEVELOPMENT else "staff")
if STUDY_CREATORS not in {"anybody", "staff"}:
    raise ImproperlyConfigured(
        f"PLATEAU_STUDY_CREATORS: found {STUDY_CREATORS!r}, expected anybody or staff"
    )

# --- security ---------------------------------------------------------------------------------
HTTPS = environment.flag("PLATEAU_HTTPS", default_flag=not DEVELOPMENT)
SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
if HTTPS:
    # Browsers take a cookie of this prefix from this very host only, not from its neighbours.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
CSRF_TRUSTED_ORIGINS = environment.list_setting("CSRF_TRUSTED_ORIGINS")
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
# How many proxies of one's own stand before Plateau: so many entries of X-Forwarded-For are true.
TRUSTED_PROXIES = environment.integer_setting(
    "PLATEAU_TRUSTED_PROXIES", int(environment.flag("PLATEAU_BEHIND_PROXY"))
)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# The header in which a proxy names who it has signed in itself; none is believed without it.
REMOTE_USER_HEADER = os.environ.get("PLATEAU_REMOTE_USER_HEADER", "")
if REMOTE_USER_HEADER:
    if not TRUSTED_PROXIES:
        raise ImproperlyConfigured(
            "PLATEAU_REMOTE_USER_HEADER is set, but PLATEAU_TRUSTED_PROXIES is not: set it to the "
            "number of your proxies, the last of which sets that header in every request."
        )
    AUTHENTICATION_BACKENDS.append("people.remote_user.KnownPeopleBackend")
    signed_in = MIDDLEWARE.index("django.contrib.auth.middleware.AuthenticationMiddleware")
    MIDDLEWARE.insert(signed_in + 1, "people.remote_user.RemoteUserSignIn")
# A second factor, offered by default, and sign-in by a provider, by django-allauth.
SSO = sso.sso_settings()
globals().update(SSO)
OIDC_NAME, OIDC_PROVIDER = str(SSO["OIDC_NAME"]), str(SSO["OIDC_PROVIDER"])  # empty: no provider
OIDC_ISSUER = str(SSO["OIDC_ISSUER"])
SECOND_FACTOR = str(SSO["SECOND_FACTOR"])
INSTALLED_APPS += sso.sso_apps(SSO)
login_required = MIDDLEWARE.index("django.contrib.auth.middleware.LoginRequiredMiddleware")
MIDDLEWARE[login_required:login_required] = sso.sso_middleware(SSO)
if REMOTE_USER_HEADER and SSO["SECOND_FACTOR"] == "required":
    raise ImproperlyConfigured(
        "PLATEAU_SECOND_FACTOR=required together with PLATEAU_REMOTE_USER_HEADER: whom the proxy "
        "names is signed in without a code. Let the proxy ask for it, or unset one of the two."
    )

# --- bounds on what people send ---------------------------------------------------------------
IMPORT_MAX_FILE_BYTES = environment.integer_setting("PLATEAU_MAX_FILE_MB", 200) * 1_000_000
IMPORT_MAX_SERIES = environment.integer_setting("PLATEAU_MAX_SERIES", 100_000)
STUDY_MAX_BYTES = environment.integer_setting("PLATEAU_STUDY_MB", 10_000) * 1_000_000
ARCHIVE_MAX_BYTES = environment.integer_setting("PLATEAU_ARCHIVE_MB", 20_000) * 1_000_000
IMPORT_MAX_EVENTS = environment.integer_setting("PLATEAU_MAX_EVENTS", 50_000)  # of a series
IMPORT_MAX_POINTS = environment.integer_setting("PLATEAU_MAX_POINTS", 5_000_000)
# Values that are imported before the page answers; more of them are in the background.
IMPORT_AT_ONCE_POINTS = environment.integer_setting("PLATEAU_IMPORT_AT_ONCE", 300_000)
# One file is read in a process of its own, within these.
READ_SECONDS = environment.integer_setting("PLATEAU_READ_SECONDS", 30)  # while a page waits
IMPORT_READ_SECONDS = environment.integer_setting("PLATEAU_IMPORT_READ_SECONDS", 300)
READ_MEMORY = environment.integer_setting("PLATEAU_READ_MB", 2_000) * 1_000_000
IMPORT_KEEP_DAYS = environment.integer_setting("PLATEAU_KEEP_UPLOADS_DAYS", 14)
DATA_UPLOAD_MAX_NUMBER_FILES = environment.integer_setting("PLATEAU_MAX_FILES", 1_000)
DATA_UPLOAD_MAX_MEMORY_SIZE = 5_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000
FILE_UPLOAD_TEMP_DIR = None
PLAYGROUND_PUBLIC = environment.flag("PLAYGROUND_PUBLIC", default_flag=True)

PDF_FONT = environment.file_setting(
    "PLATEAU_PDF_FONT"
)  # file of a font with letters that DejaVu lacks

# --- what leaves the machine: nothing, unless it is named here ------------------------------------
CAN_MAIL = bool(os.environ.get("PLATEAU_MAIL_URL"))
globals().update(mail.mail_settings())
WEBHOOK = mail.web_address("PLATEAU_WEBHOOK", may_have_password=True)
WEBHOOK_SECRET = os.environ.get("PLATEAU_WEBHOOK_SECRET", "")  # signs what is posted
REMIND_DAYS = environment.integer_setting("PLATEAU_REMIND_DAYS", 2)  # after the last answer
PUBLIC_URL = mail.web_address("PLATEAU_URL")
NOTICE_PATIENCE = mail.PATIENCE
PASSWORD_RESET_TIMEOUT = 24 * 3600  # seconds that a link for a new password is good

# --- language, time, static files, log --------------------------------------------------------
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)  # WhiteNoise complains of a folder that is not there
STATICFILES_DIRS = [BASE_DIR / "static"]
# Ours only: packages bring files that nothing here uses, some of which cannot be hashed.
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
TESTING = environment.TESTING
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        # Tests look pages up without collecting first; everything else serves hashed names.
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if TESTING
        else "config.storage.HashedStatic"
    },
}
# Few files for a page; off, each script stays a file of its own, which is easier to read.
BUNDLES = environment.flag("PLATEAU_BUNDLES", default_flag=True)
WHITENOISE_USE_FINDERS = TESTING
WHITENOISE_AUTOREFRESH = TESTING  # or each client of a test would list every file
MEDIA_ROOT = DATA_DIR / "media"
LOGGING = logs.log_settings()
CELERY_WORKER_HIJACK_ROOT_LOGGER = False  # workers write the same lines
# A proxy's header with an id of each request; without one, requests get an id here.
REQUEST_ID_HEADER = os.environ.get("PLATEAU_REQUEST_ID_HEADER", "")
