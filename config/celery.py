"""The Celery application: `celery -A config worker`."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# One thread for each process, set before numpy is loaded: workers already fill the cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

app = Celery("plateau")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
